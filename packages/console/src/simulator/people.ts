/** The contacts of the simulated network that do something of their own. `key` names the sentence about it. */
export const people = [
  { phone: '12025550100', name: 'Anna', key: 'reads' },
  { phone: '12025550130', name: 'Emil', key: 'echoes' },
  { phone: '12025550120', name: 'Omar', key: 'isOffline' },
  { phone: '12025550121', name: 'Nele', key: 'neverReads' },
  { phone: '12025550131', name: 'Stella', key: 'optsOut' },
  { phone: '12025550110', name: 'Femi', key: 'fails' },
  { phone: '12025550133', name: 'Vera', key: 'votes' },
  { phone: '12025550142', name: 'Lina', key: 'isLikeMost' },
] as const

/** Returns the name of a contact of the simulated network. */
export function nameOf(phone: string): string {
  return people.find((person) => person.phone === phone)?.name ?? `Sim ${phone.slice(-4)}`
}
