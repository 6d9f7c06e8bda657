// Runs before the first paint, so that nothing flickers: the stored theme, and the language of the samples.
;(() => {
  const root = document.documentElement
  const read = (name) => {
    try {
      return localStorage.getItem(name)
    } catch {
      return null
    }
  }
  const theme = read('docs-theme')
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
  root.dataset.language = read('docs-language') ?? 'curl'
  root.classList.add('has-script')
})()
