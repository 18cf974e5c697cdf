/** Bodies whose block solver bears the loads of contacts in its first solution of a substep, instead of being displaced by them. */
export interface Loads {
  /** Whether loads on body i are to be told now: between the prediction of a substep and its first solution. */
  takes(i: number): boolean
  /** Adds force and moment about the centre of mass, times h² [kg m, kg m²]. */
  add(i: number, push: Float64Array): void
}
