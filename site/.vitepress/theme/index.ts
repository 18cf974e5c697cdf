/** The theme as it comes, with the letters of equations. */

import DefaultTheme from 'vitepress/theme'
import 'katex/dist/katex.min.css'
import './style.css'

export default DefaultTheme
