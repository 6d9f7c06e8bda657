/** Endings of web pages and of what an operating system or a server runs. */
const programEndings = new Set(
  [
    'html htm xhtml xht shtml mhtml mht hta htc svg xsl xslt',
    'js mjs cjs jse vbs vbe wsf wsh wsc sct',
    'bat cmd ps1 psm1 psd1 ps1xml reg inf url lnk scf desktop jnlp',
    'sh bash zsh csh ksh fish command py pyw rb pl php phtml asp aspx jsp cgi lua tcl ahk au3 applescript',
  ].flatMap((endings) => endings.split(' ')),
)

const programTypes = [
  /^(?:text\/html|application\/(?:xhtml\+xml|hta)|image\/svg\+xml)$/,
  /^(?:text|application)\/(?:x-)?(?:java|ecma|vb|live)script$/,
  /^(?:text|application)\/(?:x-)?(?:sh|csh|ksh|bash|shellscript|bat|powershell|python|perl|ruby|php|httpd-php)$/,
  /^application\/x-(?:ms-?dos-program|msdownload)$/,
]

/**
 * Whether a text is a web page or a script, by its name or by the content-type of its server. The catalogue allows text
 * and CSV only (specification, SEND_FILE_TYPE_NOT_ALLOWED), and the bytes of a script are those of any text.
 */
export function isProgram(name: string, contentType: string): boolean {
  const ending = name.toLowerCase().split('.').slice(1).at(-1) ?? ''
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  return programEndings.has(ending) || programTypes.some((program) => program.test(type))
}
