// Every page is reached from the README by links, and no link between files leads nowhere: a part of `npm run docs:check`.
import { allLinks } from './docs/links.js'

const { dead, unreached, files, links } = allLinks()
for (const link of dead) console.error(`dead link in ${link}`)
for (const file of unreached) console.error(`not linked from the README or a page that is: ${file}`)
const problems = dead.length + unreached.length
console.log(`${links} links, ${files} files, ${problems} problems`)
process.exitCode = problems === 0 ? 0 : 1
