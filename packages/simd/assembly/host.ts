// What compiled loops call: functions of TypeScript that src/compiled.ts hands in.

import { Column } from './numbers'

/** Turns beyond what the loops write out themselves. */
export declare function rotateBy(q: Column, o: i32, v: Column): void

/** Loads on bodies of joint trees. */
export declare function addLoad(i: i32, fx: f64, fy: f64, fz: f64, gx: f64, gy: f64, gz: f64): bool
