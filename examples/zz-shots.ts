import { close, DESKTOP, openScene, PHONE, withPage } from '/work/wt/games/examples/reports/gallery/browser.ts'
const ids=(process.argv[2]??'car,grapple,doors,triggers,walk').split(','); const secs=(process.argv[3]??'3').split(',').map(Number)
for (const [folder, options] of [['d', DESKTOP], ['p', PHONE]] as const) {
  await withPage(options, '', async ({ page, errors }: any) => {
    for (const id of ids) { await openScene(page, id)
      await page.evaluate((t: number)=>{ window.gallery.pause(); window.gallery.reset(); window.gallery.run(Math.round(t*60)) }, secs[ids.indexOf(id)%secs.length])
      await page.waitForTimeout(1200); await page.screenshot({ path: `/tmp/games/shot-${folder}-${id}.png` }) }
    console.log(errors) })
}
await close()
