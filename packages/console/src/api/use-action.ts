import { useRef, useState } from 'preact/hooks'
import { toast } from '../ui/toast.tsx'
import { noticeSignOut, refresh } from './client.ts'
import { type Failure, failureOf } from './failure.ts'

/** What happens after an action. */
export interface ActionOptions {
  /** The names of the queries that it makes stale. */
  readonly stale?: readonly string[]
  /** A sentence to show after a success. */
  readonly done?: string
  /** Keeps the failure for the caller to show; by default it is shown as a toast. */
  readonly quiet?: boolean
}

/** A call that a person starts. */
export interface Action<A extends unknown[]> {
  readonly busy: boolean
  readonly failure: Failure | null
  /** Runs the call unless it runs already. Resolves with whether it succeeded, and never rejects. */
  run(...args: A): Promise<boolean>
  clear(): void
}

/** Returns an action that shows its failure and refreshes what it changed. */
export function useAction<A extends unknown[]>(
  call: (...args: A) => Promise<unknown>,
  { stale = [], done, quiet = false }: ActionOptions = {},
): Action<A> {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const running = useRef(false)
  async function run(...args: A): Promise<boolean> {
    if (running.current) return false
    running.current = true
    setBusy(true)
    setFailure(null)
    try {
      await call(...args)
      refresh(...stale)
      if (done !== undefined) toast(done)
      return true
    } catch (error) {
      noticeSignOut(error)
      const found = failureOf(error)
      setFailure(found)
      if (!quiet) toast(found.message, 'bad')
      return false
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return { busy, failure, run, clear: () => setFailure(null) }
}
