/** The page's script: in a page it makes the gallery, in a worker it tries texts. */

import { openGallery } from './gallery.js'
import { isOnTrial } from './trial.js'

if (!isOnTrial) openGallery()
