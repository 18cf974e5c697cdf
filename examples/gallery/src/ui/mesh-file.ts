/** Files that are dropped on the page. */

/** Lets a file be dropped anywhere on the page. */
export function onDrop(take: (file: File) => void): void {
  const isFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true
  addEventListener('dragover', (event) => {
    if (!isFile(event)) return
    event.preventDefault()
    document.body.classList.add('dropping')
  })
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) document.body.classList.remove('dropping')
  })
  addEventListener('drop', (event) => {
    if (!isFile(event)) return
    event.preventDefault()
    document.body.classList.remove('dropping')
    const file = event.dataTransfer?.files[0]
    if (file !== undefined) take(file)
  })
}
