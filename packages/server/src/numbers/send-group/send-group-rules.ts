import type { SendGroupMode } from '@msgctl/contract'

/** Which numbers of an organization stand in for each other (specification, "Send group"). */
export interface SendGroup {
  readonly enabled: boolean
  /** In their order. */
  readonly containerIds: readonly string[]
  readonly mode: SendGroupMode
  readonly sticky: boolean
}

/** The group of an organization that never set one. */
export const noGroup: SendGroup = { enabled: false, containerIds: [], mode: 'backup', sticky: true }

/** What the group needs to know of a number that can send. */
export interface GroupSender {
  readonly id: string
  readonly isDefault: boolean
}

/** What the choice depends on beside the numbers themselves. */
export interface SelectionContext {
  /** The last sender to each contact. A contact that never got a message has no entry. */
  readonly lastNumbers: ReadonlyMap<string, string>
  /** How many turns are taken on each number: about the seconds until a new message would leave. */
  readonly queueLoad: ReadonlyMap<string, number>
}

/** The context when no contact got a message yet and no message waits. */
export const emptyContext: SelectionContext = { lastNumbers: new Map(), queueLoad: new Map() }

/** Which number the group gives a contact, null when it has none to give. */
export type GroupSelector<S extends GroupSender> = (contact: string) => S | null

/**
 * How the group chooses among the numbers that can send, for one contact after the other. In backup mode the default
 * number has them all, else the next of the group in its order; a sticky contact keeps the stand-in it had. In share
 * mode a sticky contact keeps its number; the others take the number with the fewest turns taken, those of the choices
 * before included. The same contact gets the same number from one chooser.
 */
export function groupSelector<S extends GroupSender>(
  group: SendGroup,
  senders: readonly S[],
  { lastNumbers, queueLoad }: SelectionContext,
): GroupSelector<S> {
  if (!group.enabled) return () => null
  const members = group.containerIds.flatMap((id) => senders.find((sender) => sender.id === id) ?? [])
  const kept = (contact: string) => {
    return group.sticky ? members.find((sender) => sender.id === lastNumbers.get(contact)) : undefined
  }
  if (group.mode === 'backup') {
    const first = senders.find((sender) => sender.isDefault)
    return (contact) => first ?? kept(contact) ?? members[0] ?? null
  }
  return spreadEvenly(members, queueLoad, kept)
}

function spreadEvenly<S extends GroupSender>(
  members: readonly S[],
  queueLoad: ReadonlyMap<string, number>,
  kept: (contact: string) => S | undefined,
): GroupSelector<S> {
  const load = new Map(members.map(({ id }) => [id, queueLoad.get(id) ?? 0]))
  const assigned = new Map<string, S>()
  return (contact) => {
    const sender = assigned.get(contact) ?? kept(contact) ?? leastLoaded(members, load, contact)
    if (!sender) return null
    assigned.set(contact, sender)
    load.set(sender.id, (load.get(sender.id) ?? 0) + 1)
    return sender
  }
}

/** Where several numbers are equally free, the contact itself decides, so that quiet numbers share too. */
function leastLoaded<S extends GroupSender>(
  members: readonly S[],
  load: ReadonlyMap<string, number>,
  contact: string,
): S | undefined {
  const fewest = Math.min(...load.values())
  const free = members.filter(({ id }) => load.get(id) === fewest)
  return free[fnv1a(contact) % free.length]
}

/** FNV-1a over the characters: the same in every process, and even enough to share by. */
function fnv1a(text: string): number {
  let hash = 2_166_136_261
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619)
  return hash >>> 0
}
