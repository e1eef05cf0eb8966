// How a secret looks when a program prints it: as it is, in JSON, in a URL, in base64.

/**
 * Texts shorter than this are not looked for. They cannot be hidden (masking every `5432` shows where it was, and a
 * reader can try them all), and blanking them out would make logs unreadable.
 */
export const SHORTEST_SECRET = 6
/** Lines of a secret of several lines are looked for alone, because logs are kept by line; short ones say little. */
const SHORTEST_LINE = 8

/** Everything to look for so that this secret is not seen; each text once. */
export function formsOf(secret: string): string[] {
  const wellFormed = Buffer.from(secret, 'utf8').toString('utf8')
  const forms = new Set<string>()
  for (const text of new Set([wellFormed, wellFormed.trim()])) {
    if (text.length < SHORTEST_SECRET) continue
    for (const form of [text, ...jsonForms(text), ...urlForms(text), ...base64Forms(text)]) forms.add(form)
  }
  const lines = wellFormed.split(/\r\n|\r|\n/)
  if (lines.length > 1) {
    for (const line of lines) if (line.trim().length >= SHORTEST_LINE) forms.add(line.trim())
  }
  return [...forms]
}

/** As JavaScript, Python, Go and PHP write it between the quotes. */
function jsonForms(text: string): string[] {
  const plain = JSON.stringify(text).slice(1, -1)
  const ascii = plain.replace(/[\u007f-\uffff]/g, unicodeEscape)
  const html = plain.replace(/[<>&\u2028\u2029]/g, unicodeEscape)
  return [plain, ascii, html, ascii.replaceAll('/', '\\/')]
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** As a part of a URL or of a form, with the hex digits in either case. */
function urlForms(text: string): string[] {
  const component = encodeURIComponent(text)
  const strict = component.replace(/[!'()*]/g, mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
  const forms = [component, strict, encodeURI(text), strict.replaceAll('%20', '+')]
  return forms.flatMap(form => [form, form.replace(/%[0-9A-F]{2}/g, code => code.toLowerCase())])
}

/**
 * The characters that base64 always has for these bytes, whatever stands before and after them: the secret may start at
 * any of the three bytes of a group, and the characters that it shares with its neighbours cannot be known.
 */
function base64Forms(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8')
  const forms = [0, 1, 2].map(before => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  })
  return forms.flatMap(form => [form, form.replaceAll('+', '-').replaceAll('/', '_')])
}
