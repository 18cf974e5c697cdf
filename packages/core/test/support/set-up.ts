/** Set up of every test file: properties that name no seed take the seed of the run. */

import fc from 'fast-check'
import { SEED } from './seed.js'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED })
