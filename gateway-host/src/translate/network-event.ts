import type { GatewayEvent } from '@msgctl/network/gateway'

type WithoutOwner<Event> = Event extends unknown ? Omit<Event, 'containerId' | 'organizationId' | 'at'> : never

/** An event as the inbox stores it: of which number it is stands beside it, and its time is text. */
export type NetworkEvent = WithoutOwner<GatewayEvent> & { readonly at: string }
