// Aho-Corasick: finds many texts at once in one pass, whatever the texts and the input are.
// Nodes live in typed arrays, because a service may have hundreds of kilobytes of secrets and there are many services.

export interface Automaton {
  /** The node after reading one UTF-16 unit. Node 0 is the start. */
  step(node: number, unit: number): number
  /** Length of the longest text that ends at this node; 0 when none does. */
  matched(node: number): number
  /** Length of what has been read that may still become a text. */
  depth(node: number): number
}

/** An automaton for these texts; empty ones are ignored. */
export function createAutomaton(texts: readonly string[]): Automaton {
  const capacity = texts.reduce((sum, text) => sum + text.length, 1)
  const parents = new Int32Array(capacity)
  const units = new Uint16Array(capacity)
  const depths = new Int32Array(capacity)
  const fails = new Int32Array(capacity)
  const matches = new Int32Array(capacity)
  let size = 1

  // Open addressing from (parent, unit) to the child; 0 marks a free slot, for no node has node 0 as a child.
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(capacity * 2 + 2)))
  const slotOf = (parent: number, unit: number): number => {
    let slot = (Math.imul(parent, 0x9e3779b1) ^ Math.imul(unit + 1, 0x85ebca6b)) & (slots.length - 1)
    for (;;) {
      const child = slots[slot] ?? 0
      if (child === 0 || (parents[child] === parent && units[child] === unit)) return slot
      slot = (slot + 1) & (slots.length - 1)
    }
  }

  for (const text of texts) addText(text)
  linkFails()
  return {
    step,
    matched: node => matches[node] ?? 0,
    depth: node => depths[node] ?? 0,
  }

  function addText(text: string): void {
    let node = 0
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      const slot = slotOf(node, unit)
      let child = slots[slot] ?? 0
      if (child === 0) {
        child = size++
        slots[slot] = child
        parents[child] = node
        units[child] = unit
        depths[child] = i + 1
      }
      node = child
    }
    if (node !== 0) matches[node] = text.length
  }

  /** Shallow nodes first, because the link of a node is found through that of its parent. */
  function linkFails(): void {
    const order = byDepth()
    for (const node of order) {
      const parent = parents[node] ?? 0
      const fail = parent === 0 ? 0 : step(fails[parent] ?? 0, units[node] ?? 0)
      fails[node] = fail
      if (matches[node] === 0) matches[node] = matches[fail] ?? 0
    }
  }

  function byDepth(): Int32Array {
    const deepest = depths.reduce((most, depth) => Math.max(most, depth), 0)
    const starts = new Int32Array(deepest + 2)
    for (let node = 1; node < size; node++) starts[(depths[node] ?? 0) + 1]! += 1
    for (let depth = 1; depth < starts.length; depth++) starts[depth]! += starts[depth - 1] ?? 0
    const order = new Int32Array(size - 1)
    for (let node = 1; node < size; node++) order[starts[depths[node] ?? 0]!++] = node
    return order
  }

  function step(node: number, unit: number): number {
    for (let from = node; ; from = fails[from] ?? 0) {
      const child = slots[slotOf(from, unit)] ?? 0
      if (child !== 0) return child
      if (from === 0) return 0
    }
  }
}
