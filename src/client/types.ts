// What a path and a method of the document mean for a call: parameters, body, answer.
import type { paths } from './paths.d.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Paths that know a method. */
export type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never
}[keyof paths]

type Operation<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer Found> ? Found : never

type Part<Op, Name extends string> = Op extends { parameters: infer Parameters }
  ? Parameters extends { [K in Name]?: infer Found }
    ? NonNullable<Found>
    : never
  : never

type Given<Name extends string, Value> = [Value] extends [never] ? unknown : { [K in Name]: Value }

/** The JSON body of a call. */
export type Body<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { requestBody?: infer Request }
    ? NonNullable<Request> extends { content: { 'application/json': infer Json } }
      ? Json
      : never
    : never

/** What a call is made of. A body is left out where the document lets it. */
export type Init<P extends keyof paths, M extends Method> = Given<'path', Part<Operation<P, M>, 'path'>> &
  Partial<Given<'query', Part<Operation<P, M>, 'query'>>> &
  (Operation<P, M> extends { requestBody: unknown }
    ? Given<'body', Body<P, M>>
    : Partial<Given<'body', Body<P, M>>>) & {
    /** Idempotency key of a POST; one is made when there is none. */
    key?: string
  }

/** Left out where nothing of it is needed. */
export type Args<P extends keyof paths, M extends Method> =
  Partial<Init<P, M>> extends Init<P, M> ? [init?: Init<P, M>] : [init: Init<P, M>]

type Json<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : null

/** What a call answers when it succeeds. */
export type Success<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { responses: infer Answers }
    ? { [S in keyof Answers & (200 | 201 | 202 | 204)]: Json<Answers[S]> }[keyof Answers & (200 | 201 | 202 | 204)]
    : never

/** An item of a list. */
export type Item<P extends keyof paths> = Success<P, 'get'> extends { items: (infer One)[] } ? One : never
