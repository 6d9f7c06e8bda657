import { render } from 'preact'
import { App } from './app.tsx'
import { currentTheme, showTheme } from './ui/theme.ts'
import { loadWords } from './words/index.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/layout.css'
import './styles/data.css'

showTheme(currentTheme())
await loadWords()
// Relative addresses of the page would follow its path from page to page.
for (const link of document.querySelectorAll<HTMLLinkElement>('link[href]')) link.setAttribute('href', link.href)
const place = document.getElementById('app')
if (place) render(<App />, place)
