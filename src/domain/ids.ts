import { monotonicFactory } from 'ulid'

const next = monotonicFactory()

/** A lowercase ULID (D-03); ids made by one process grow even within a millisecond. */
export function newId(): string {
  return next().toLowerCase()
}

/** True for what `newId` can return; an uppercase ULID is not an id (D-03). */
export function isId(text: string): boolean {
  return /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text)
}
