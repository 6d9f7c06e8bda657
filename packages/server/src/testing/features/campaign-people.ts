/** `count` people who are on the simulated network, each with a name. */
export function people(count: number, area = '151'): { phone: string; variables: { name: string } }[] {
  return Array.from({ length: count }, (_, n) => ({
    phone: `49${area}${String(n * 10).padStart(8, '0')}`,
    variables: { name: `person ${n}` },
  }))
}
