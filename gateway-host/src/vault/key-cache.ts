import { isOfPeople } from './key-kinds.ts'

/**
 * Values of keys in memory, by `kind/id`. What is known of people has a cache of its own: a phone shares its whole
 * address book at once, and the sessions stay in memory.
 */
export class KeyCaches {
  readonly #keys: KeyCache
  readonly #people: KeyCache

  /** `largest`: how many values each cache keeps. `mustStay`: whether a value is nowhere else yet. */
  constructor(largest: number, mustStay: (name: string) => boolean) {
    this.#keys = new KeyCache(largest, mustStay)
    this.#people = new KeyCache(largest, mustStay)
  }

  has(name: string): boolean {
    return this.#of(name).has(name)
  }

  get(name: string): unknown {
    return this.#of(name).get(name)
  }

  set(name: string, value: unknown): void {
    this.#of(name).set(name, value)
  }

  delete(name: string): void {
    this.#of(name).delete(name)
  }

  clear(): void {
    this.#keys.clear()
    this.#people.clear()
  }

  #of(name: string): KeyCache {
    return isOfPeople(Number.parseInt(name, 10)) ? this.#people : this.#keys
  }
}

/** Values of keys in memory, the least recently used first. Undefined inside: the key is known not to exist. */
export class KeyCache {
  readonly #values = new Map<string, unknown>()
  readonly #largest: number
  readonly #mustStay: (name: string) => boolean

  /** `mustStay`: whether a value is nowhere else yet. */
  constructor(largest: number, mustStay: (name: string) => boolean) {
    this.#largest = largest
    this.#mustStay = mustStay
  }

  get size(): number {
    return this.#values.size
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  get(name: string): unknown {
    const value = this.#values.get(name)
    this.#values.delete(name)
    this.#values.set(name, value)
    return value
  }

  set(name: string, value: unknown): void {
    this.#values.delete(name)
    this.#values.set(name, value)
    if (this.#values.size > this.#largest) this.#shrink()
  }

  delete(name: string): void {
    this.#values.delete(name)
  }

  clear(): void {
    this.#values.clear()
  }

  #shrink(): void {
    for (const name of this.#values.keys()) {
      if (this.#mustStay(name)) continue
      this.#values.delete(name)
      if (this.#values.size <= this.#largest) return
    }
  }
}
