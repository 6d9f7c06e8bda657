/** The kinds of values that a column or a part of a JSON value can have. */
export type Kind = 'string' | 'number' | 'boolean' | 'null' | 'undefined' | 'Date' | 'Buffer'

/** A member of an object: the place of its type among {@link RowTypes.types}, and whether it may be missing. */
type Member = readonly [type: number, optional: boolean]

/** An object of a type: its members, and the type of all others where it has an index signature. */
export interface ObjectType {
  readonly members: Readonly<Record<string, Member>>
  readonly others?: number | undefined
}

/** What TypeScript lets a value be: any of these. Types refer to each other by their place. */
export interface ValueType {
  /** Anything. */
  readonly any?: boolean
  readonly kinds: readonly Kind[]
  readonly literals: readonly (string | number | boolean)[]
  /** The types of the items of arrays. */
  readonly items: readonly number[]
  readonly objects: readonly ObjectType[]
}

/** A call of `rows` or `preparedRows` in the source, and the type that its rows shall have. */
export interface CallSite {
  /** Relative to the root of the repository. */
  readonly file: string
  readonly line: number
  readonly column: number
  readonly type: number
}

/** The declared rows of all calls. */
export interface RowTypes {
  readonly sites: readonly CallSite[]
  readonly types: readonly ValueType[]
}

/** Returns the place of a call, as editors know it. */
export function placeOf({ file, line, column }: CallSite): string {
  return `${file}:${line}:${column}`
}
