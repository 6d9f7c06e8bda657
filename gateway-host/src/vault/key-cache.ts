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
