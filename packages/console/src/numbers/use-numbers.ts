import { useQuery } from '@tanstack/preact-query'
import { api } from '../api/client.ts'
import { useOverview } from '../api/live.ts'

/** Reads the numbers of the organization; their states are those of the overview, which is newer. */
export function useNumbers() {
  const overview = useOverview()
  const list = useQuery({ queryKey: ['numbers'], queryFn: () => api.numbers.list() })
  const now = new Map(overview?.numbers.map((number) => [number.containerId, number]))
  const numbers = (list.data?.sessions ?? []).map((number) => {
    const live = now.get(number.id)
    const waiting = live ? live.waiting.high + live.waiting.normal + live.waiting.campaign : 0
    const restrictedUntil = live?.restrictedUntil ?? null
    return { ...number, status: live?.status ?? number.status, restrictedUntil, waiting }
  })
  return { list, numbers }
}
