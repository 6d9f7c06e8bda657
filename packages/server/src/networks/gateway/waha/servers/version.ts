/** Returns whether a version like 2026.7.1 is at least this one. */
export function isAtLeast(version: string, oldest: readonly [number, number, number]): boolean {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number)
  if (!parts) return false
  const differs = oldest.findIndex((part, n) => part !== parts[n])
  return differs < 0 || (parts[differs] ?? 0) > (oldest[differs] ?? 0)
}
