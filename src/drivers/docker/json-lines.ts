// The engine's streams of JSON objects, one a line. (readline would wait for ever on a connection that breaks.)
import { StringDecoder } from 'node:string_decoder'

/** Objects as they arrive; throws when the connection breaks. */
export async function* jsonLines<T>(stream: AsyncIterable<unknown>): AsyncIterable<T> {
  const decoder = new StringDecoder('utf8')
  let pending = ''
  for await (const chunk of stream) {
    const lines = (pending + decoder.write(chunk as Buffer)).split('\n')
    pending = lines.pop() ?? ''
    for (const line of lines) if (line.trim()) yield JSON.parse(line) as T
  }
  if (pending.trim()) yield JSON.parse(pending) as T
}
