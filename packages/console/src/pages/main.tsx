import { render } from 'preact'
import { currentTheme, showTheme } from '../ui/theme.ts'
import { loadWords } from '../words/index.ts'
import { LinkPages } from './pages.tsx'
import '../styles/tokens.css'
import '../styles/base.css'
import '../styles/controls.css'
import '../styles/layout.css'
import '../styles/data.css'

showTheme(currentTheme())
await loadWords()
// A link that is opened in this tab changes only what stands behind the #.
addEventListener('hashchange', () => location.reload())
const place = document.getElementById('app')
if (place) render(<LinkPages />, place)
