import type { Case } from './measure.js'
export const jointCases: readonly Case[] = []
