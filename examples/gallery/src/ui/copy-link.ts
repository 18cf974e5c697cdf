/** A button that copies the page's address, and says whether it has. */

/** What it says stays for so long [ms]. */
const SAYS = 1500
const LABEL = 'Copy link'

/** Copies the address. */
export async function copyAddress(button: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href)
    say(button, 'Copied')
  } catch {
    say(button, 'It is in the address bar')
  }
}

/** Has the button say something in place of its name, for a while. */
export function say(button: HTMLElement, text: string): void {
  button.textContent = text
  setTimeout(() => (button.textContent = LABEL), SAYS)
}
