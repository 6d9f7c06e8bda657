import type { Feature, Role } from '@msgctl/contract'
import { onlineManager } from '@tanstack/preact-query'
import { queries, signedOut } from '../api/client.ts'
import { callSession } from '../api/session-calls.ts'
import { createStore, useStore } from '../api/store.ts'
import type { Offer } from '../routes.ts'

/** The response of GET /console/session and /account/session. */
export interface Session extends Offer {
  readonly user: {
    readonly id: string
    readonly name: string
    readonly email: string
    readonly memberRole: Role
  } | null
  readonly organization: { readonly id: string; readonly name: string } | null
  readonly features: readonly Feature[]
  readonly serviceName: string
  /** Whether people may create accounts. */
  readonly signUp: boolean
  /** Whether the console is served. */
  readonly console: boolean
}

/** What a completed or half-finished sign-in responds. */
export type SignInResult =
  | { readonly twoFactorRequired: false }
  | { readonly twoFactorRequired: true; readonly challenge: string; readonly expiresAt: string }

/** How a session begins: the route that makes it, by name. */
export type Via = 'sign-in' | 'two-factor' | 'switch' | 'join' | 'sign-up' | 'new-organization' | 'welcome'

const session = createStore<Session | null>(null)

/** Loads who is signed in. */
export async function loadSession(): Promise<Session> {
  const loaded = await callSession<Session>('GET', '')
  session.set(loaded)
  return loaded
}

/** Begins a session. The token becomes a cookie that the page cannot read. */
export async function beginSession(via: Via, input: Record<string, unknown>): Promise<SignInResult> {
  const before = session.get()
  const result = await callSession<SignInResult>('POST', `/${via}`, input)
  if (result.twoFactorRequired) return result
  const now = await loadSession()
  // What the page has read belongs to the organization of the session before.
  if (before?.organization?.id !== now.organization?.id) queries.clear()
  signedOut.set(false)
  void queries.invalidateQueries()
  return result
}

/**
 * Ends the session and loads the page again with `reload`, which forgets what it has read. What the page reads again
 * and again stops before, because every read without the session would be refused.
 */
export async function endSession(reload = () => location.assign(location.pathname)): Promise<void> {
  onlineManager.setOnline(false)
  try {
    await callSession('DELETE', '')
  } catch (error) {
    onlineManager.setOnline(true)
    throw error
  }
  reload()
}

/** Returns the session; null until it is loaded. */
export function useSession(): Session | null {
  return useStore(session)
}

/** Returns whether the signed-in member may change what only owners and admins may. */
export function useMayManage(): boolean {
  const role = useSession()?.user?.memberRole
  return role === 'owner' || role === 'admin'
}

/** Returns whether the organization has a feature. */
export function useFeature(feature: Feature): boolean {
  return useSession()?.features.includes(feature) ?? false
}
