/** TypeScript of a text as JavaScript of CommonJS, line by line. */

import { transform } from 'sucrase'

/** The code of a text. Throws where its grammar is wrong, with line and column. */
export function compile(text: string): string {
  return transform(text, { transforms: ['typescript', 'imports'], disableESTransforms: true }).code
}
