import { contract, type Route, splitEndpoint } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { fixedSegmentsFirst } from './mount.ts'

describe('the order of routes', () => {
  it.each([
    [
      ['/chats/:phone', '/chats/unread'],
      ['/chats/unread', '/chats/:phone'],
    ],
    [
      ['/session/:containerId', '/session/list'],
      ['/session/list', '/session/:containerId'],
    ],
    [
      ['/a/:b/c', '/a/:b/:d', '/a/b/:d'],
      ['/a/b/:d', '/a/:b/c', '/a/:b/:d'],
    ],
  ])('sorts %j', (paths, sorted) => {
    expect([...paths].sort(fixedSegmentsFirst)).toEqual(sorted)
  })

  it('lets no route of the contract be hidden behind a parameter', () => {
    const all = Object.values(contract).flatMap((routes) => Object.values(routes) as Route[])
    const endpoints = all.map(({ endpoint }) => splitEndpoint(endpoint))
    const sorted = endpoints.sort((a, b) => fixedSegmentsFirst(a.path, b.path))
    for (const { method, path } of sorted) {
      const example = path.replaceAll(/:\w+/g, 'x')
      const first = sorted.find((other) => other.method === method && matches(other.path, example))
      expect(`${method} ${first?.path}`).toBe(`${method} ${path}`)
    }
    expect(sorted.length).toBeGreaterThan(60)
  })
})

function matches(template: string, path: string): boolean {
  return new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`).test(path)
}
