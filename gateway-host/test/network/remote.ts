import type { ControlCalls } from './control.ts'

/** The calls of a network in another process. */
export type RemoteNetwork = {
  [Name in keyof ControlCalls]: (
    ...call: Parameters<ControlCalls[Name]>
  ) => Promise<Awaited<ReturnType<ControlCalls[Name]>>>
}

/** Returns the calls that control the network at `controlUrl`. They throw an Error with the message of the network. */
export function remoteNetwork(controlUrl: string): RemoteNetwork {
  return new Proxy({} as RemoteNetwork, {
    get: (_target, name) => async (call: unknown) => {
      const url = `${controlUrl}/control/${String(name)}`
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(call ?? {}) })
      const body = (await response.json()) as { error?: string }
      if (!response.ok) throw new Error(`${String(name)}: ${body.error}`)
      return body
    },
  })
}
