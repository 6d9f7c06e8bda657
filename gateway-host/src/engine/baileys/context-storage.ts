import asyncHooks, { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

/** The value of one storage in a context, and the values of the others. */
interface Frame {
  readonly storage: object
  readonly value: unknown
  readonly others: Frame | undefined
}

const shared = new AsyncLocalStorage<Frame | undefined>()

/** Returns the frames without that of this storage, so that a chain of calls does not get longer and longer. */
function without(frame: Frame | undefined, storage: object): Frame | undefined {
  if (!frame) return undefined
  if (frame.storage === storage) return frame.others
  const others = without(frame.others, storage)
  return others === frame.others ? frame : { ...frame, others }
}

/** An AsyncLocalStorage whose instances keep their values in one storage of Node. */
export class SharedStorage<T> extends AsyncLocalStorage<T> {
  override run<R>(value: T, work: () => R): R
  override run<R, Args extends unknown[]>(value: T, work: (...args: Args) => R, ...args: Args): R
  override run<R, Args extends unknown[]>(value: T, work: (...args: Args) => R, ...args: Args): R {
    return shared.run(this.#frameOf(value), work, ...args)
  }

  override exit<R, Args extends unknown[]>(work: (...args: Args) => R, ...args: Args): R {
    return shared.run(without(shared.getStore(), this), work, ...args)
  }

  override getStore(): T | undefined {
    for (let frame = shared.getStore(); frame; frame = frame.others) {
      if (frame.storage === this) return frame.value as T
    }
    return undefined
  }

  override enterWith(value: T): void {
    shared.enterWith(this.#frameOf(value))
  }

  override disable(): void {
    shared.enterWith(without(shared.getStore(), this))
  }

  #frameOf(value: T): Frame {
    return { storage: this, value, others: without(shared.getStore(), this) }
  }
}

/**
 * Lets all storages that are made from now on share one storage of Node. Node 20 copies the value of every storage into
 * every promise, and Baileys makes a storage for each number: a process with 250 numbers would copy 250 values each
 * time.
 */
export function shareAsyncStorage(): void {
  Object.assign(asyncHooks, { AsyncLocalStorage: SharedStorage })
  syncBuiltinESMExports()
}
