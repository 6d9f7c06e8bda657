import type { NumberStatus, SessionReason } from '@msgctl/contract'

/** JSON that a driver stores for itself; the service does not read it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** One number at the driver: our container id, and the organization that owns it. */
export interface GatewaySession {
  readonly containerId: string
  readonly organizationId: string
  /** The driver of the number, where the caller knows it; else it is looked up. */
  readonly gateway?: string
}

/**
 * A person on the network. A hidden id is written as the API writes it, with its `@lid`, here and wherever `lid`
 * stands.
 */
export type NetAddress = { kind: 'phone'; digits: string } | { kind: 'lid'; id: string }

/** A message on the network. `networkId` is the bare id, unique per number; `raw` is the driver's own. */
export interface MessageRef {
  readonly networkId: string
  readonly chat: NetAddress
  readonly raw: Json
}

/** A step of linking that a person has to complete, beside the QR or the pairing code. */
export type LinkStep =
  /**
   * The network demands a passkey of the account: `challenge` goes to a browser, whose assertion comes back by
   * `passkey`.
   */
  | { readonly step: 'passkey'; readonly challenge: Json }
  /** The phone shows a code as well; a person compares both and confirms by `confirmLink`. */
  | { readonly step: 'confirm'; readonly code: string }

/** The state of a number at its network. */
export interface SessionState {
  readonly status: Exclude<NumberStatus, 'UNREACHABLE'>
  /** The linked account; null while there is none. */
  readonly me: { readonly id: string; readonly digits: string; readonly pushName: string } | null
  /** The reason for the state, where there is one to name. */
  readonly reason?: SessionReason
  /** The code of the network for the reason, where it says more, such as the cause of a restriction. */
  readonly code?: number
  /**
   * When a FAILED number may be started again: at a time, or never by itself (e.g. a banned account). Left out: the
   * supervisor retries as usual.
   */
  readonly retry?: Date | 'never'
  /** What a person must do to complete the link. The status is SCAN_QR_CODE then. */
  readonly link?: LinkStep
  /**
   * Orders the states of a session, whatever the clocks say. Each report has a larger one than the report before, over
   * restarts of the driver too. The response of a call repeats the number of the last report.
   */
  readonly sequence: number
}
