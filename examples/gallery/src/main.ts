/** The page's script. A worker that tries texts may load it as well: there is no page to make there. */

import { openGallery } from './gallery.js'

if ('document' in globalThis) openGallery()
