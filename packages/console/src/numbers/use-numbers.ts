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
    return { ...number, status: live?.status ?? number.status, waiting }
  })
  return { list, numbers }
}
