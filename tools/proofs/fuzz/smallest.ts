import fc from 'fast-check'
import type { RequestDraft } from './request-builder.ts'

type Path = readonly (string | number)[]
type Holder = Record<string | number, unknown>

/** What can be left out of a request: a pair of its query, a header, or a place of its body. */
type Part = { readonly pair: number } | { readonly header: number } | { readonly place: Path }

/** Every place of a value, outer ones first, at most 200. */
function pathsIn(value: unknown): Path[] {
  const paths: Path[] = []
  const open: [Path, unknown][] = [[[], value]]
  for (let next = open.shift(); next !== undefined && paths.length < 200; next = open.shift()) {
    const [above, holder] = next
    if (typeof holder !== 'object' || holder === null) continue
    for (const [key, inner] of Object.entries(holder)) {
      const path = [...above, key]
      paths.push(path)
      open.push([path, inner])
    }
  }
  return paths
}

/** Removes a place from a value; from the end of a list first, so that the places before it keep their numbers. */
function remove(value: unknown, path: Path): void {
  const holder = path.slice(0, -1).reduce<unknown>((inner, key) => (inner as Holder | undefined)?.[key], value)
  const key = path.at(-1) ?? ''
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else if (typeof holder === 'object' && holder !== null) delete (holder as Holder)[key]
}

function partsOf({ query, headers, json, rawBody }: RequestDraft): Part[] {
  const places = rawBody === undefined ? pathsIn(json) : []
  return [
    ...query.map((_, pair) => ({ pair })),
    ...headers.map((_, header) => ({ header })),
    ...places.map((place) => ({ place })),
  ]
}

function withOnly(draft: RequestDraft, kept: readonly Part[], all: readonly Part[]): RequestDraft {
  const has = new Set(kept)
  const gone = all.filter((part) => !has.has(part))
  const json = structuredClone(draft.json)
  for (const part of gone.toReversed()) if ('place' in part) remove(json, part.place)
  return {
    ...draft,
    json,
    query: draft.query.filter((_, at) => !gone.some((part) => 'pair' in part && part.pair === at)),
    headers: draft.headers.filter((_, at) => !gone.some((part) => 'header' in part && part.header === at)),
  }
}

/**
 * Returns the smallest request that still fails, as fast-check shrinks the set of its parts; the request itself where
 * nothing can be left out, or where it does not fail a second time.
 */
export async function smallest(
  draft: RequestDraft,
  fails: (smaller: RequestDraft) => Promise<boolean>,
  withinMs = 5000,
): Promise<RequestDraft> {
  const parts = partsOf(draft)
  if (parts.length === 0) return draft
  const passes = fc.asyncProperty(fc.subarray(parts), async (kept) => !(await fails(withOnly(draft, kept, parts))))
  const { counterexample } = await fc.check(passes, {
    examples: [[parts]],
    numRuns: 1,
    interruptAfterTimeLimit: withinMs,
  })
  const kept = counterexample?.[0]
  return kept ? withOnly(draft, kept, parts) : draft
}
