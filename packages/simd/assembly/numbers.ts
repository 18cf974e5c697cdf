// What core: math/numbers.ts names, for this compiler: a column is the address of its first number.

@unmanaged
export class Column {
  @inline @operator('[]') get(i: i32): f64 {
    return load<f64>(changetype<usize>(this) + ((<usize>i) << 3))
  }

  @inline @operator('[]=') set(i: i32, x: f64): void {
    store<f64>(changetype<usize>(this) + ((<usize>i) << 3), x)
  }
}

@unmanaged
export class Ints {
  @inline @operator('[]') get(i: i32): i32 {
    return load<i32>(changetype<usize>(this) + ((<usize>i) << 2))
  }

  @inline @operator('[]=') set(i: i32, n: i32): void {
    store<i32>(changetype<usize>(this) + ((<usize>i) << 2), n)
  }
}

@unmanaged
export class Bytes {
  @inline @operator('[]') get(i: i32): i32 {
    return load<u8>(changetype<usize>(this) + <usize>i)
  }

  @inline @operator('[]=') set(i: i32, n: i32): void {
    store<u8>(changetype<usize>(this) + <usize>i, n)
  }
}
