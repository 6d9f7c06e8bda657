/** The fields of `T` without those that are undefined. */
export type ToResponse<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** Returns a copy without the fields that are undefined. */
export function toResponse<T extends object>(fields: T): ToResponse<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ToResponse<T>
}
