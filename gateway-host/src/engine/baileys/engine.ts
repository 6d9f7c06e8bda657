import { WA_CERT_DETAILS } from 'baileys'
import type { Engine } from '../engine.ts'
import { connectBaileys } from './connection.ts'
import { keepSalts } from './contact-salt.ts'
import { shareAsyncStorage } from './context-storage.ts'
import { probeNetwork } from './link/probe.ts'

/** Returns the engine Baileys. `rootKey` replaces the root key of the network, for a test network. */
export function baileysEngine(rootKey: Buffer | null): Engine {
  shareAsyncStorage()
  keepSalts()
  if (rootKey) Object.assign(WA_CERT_DETAILS, { PUBLIC_KEY: rootKey })
  return { name: 'baileys', open: connectBaileys, probe: probeNetwork }
}
