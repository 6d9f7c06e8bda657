/** The looks of the page: those of the system, or always light or dark. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageName = 'msgctl.theme'

/** Returns the theme that this browser remembers. */
export function currentTheme(): Theme {
  const stored = localStorage.getItem(storageName)
  return themes.find((theme) => theme === stored) ?? 'system'
}

/** Shows a theme and remembers it for this browser. */
export function showTheme(theme: Theme): void {
  localStorage.setItem(storageName, theme)
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
}
