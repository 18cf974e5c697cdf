/** The theme as it comes, with the letters of equations, and recipes that run. */

import { useRoute } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { nextTick, onMounted, watch } from 'vue'
import 'katex/dist/katex.min.css'
import { offerScenes } from './live-code.js'
import './style.css'

export default {
  ...DefaultTheme,
  setup(): void {
    const route = useRoute()
    onMounted(offerScenes)
    watch(
      () => route.path,
      () => void nextTick(offerScenes),
    )
  },
}
