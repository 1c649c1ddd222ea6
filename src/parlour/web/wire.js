/**
 * What passes between the page and the server, as types; nothing of this is ever fetched.
 * The server's own words for it stand in docs/protocol/.
 *
 * @typedef {{glyph: string, label: string, owner?: number, colour?: string, face?: string,
 *   sign?: string, marks?: string[], piece?: number}} Cell
 * @typedef {{rows: number, cols: number, row_names: string[], col_names: string[],
 *   shape?: string, holes?: number[]}} Board
 * @typedef {{name: string, score?: string, tray?: string[]}} SeatView
 * @typedef {[number, string, number[], string, number[]]} WireAction
 * @typedef {{palette: Cell[], cells: number[], seats: SeatView[], actor: number, status: string,
 *   actions?: WireAction[], board?: Board}} WireScene
 * @typedef {{'palette+'?: Cell[], cells?: [number, number][], seats?: SeatView[],
 *   actor?: number, status?: string, actions?: WireAction[]}} Diff
 * @typedef {{left: number[], running: number | null}} Clocks
 * @typedef {{kind: string, name?: string, level?: number, left?: boolean}} SeatInfo
 * @typedef {{returns: number[], words: string, remark: string, key: string}} Ending
 * @typedef {{v: number, ply: number, kind: string, seat?: number, sentence?: string,
 *   action?: number | null, text?: string | null, words?: string, cells?: number[],
 *   at?: number}} Happened
 * @typedef {{seat: number, name: string, text: string}} Spoken
 * @typedef {'draw' | 'takeback' | 'rematch'} OfferName
 * @typedef {Record<OfferName, number[]>} Offers the seats that made each open offer, or agree to it
 * @typedef {{t: string, table: string, v: number, ply: number, you: number | null, game: string,
 *   title: string, options: Record<string, unknown>, status: string, seats: SeatInfo[],
 *   commitment: string, scene?: WireScene, history?: Happened[], clocks?: Clocks,
 *   control?: string, offers?: Partial<Offers>, said?: Spoken[],
 *   ending?: Ending, rematch?: string, rematch_of?: string, remark?: string,
 *   resumed?: boolean, chat?: boolean, can_draw?: boolean}} Welcome
 * @typedef {Happened & {t: string, diff?: Diff, scene?: WireScene, clocks?: Clocks,
 *   seats?: SeatInfo[], offers?: Partial<Offers>, ending?: Ending, rematch?: string,
 *   remark?: string}} GameEvent
 * @typedef {{table: string, game: string, title: string, options: Record<string, unknown>,
 *   status: string, seats: SeatInfo[], created: number, ply: number, control?: string,
 *   you?: number | null, your_turn?: boolean, listed?: boolean}} TableInfo
 * @typedef {{name: string, kind: string, default: unknown, help: string, low?: number,
 *   high?: number, choices?: string[], seats?: Record<string, string[]>}} OptionInfo
 * @typedef {{name: string, title: string, seats: number, options?: OptionInfo[], rules: string,
 *   has_chance: boolean, has_secrets: boolean, draw_offers: boolean, has_frames: boolean,
 *   levels: number, scene: WireScene}} GameInfo
 * @typedef {{seat: number, url: string, claim: string}} Invitation
 * @typedef {{table: string, watch_url: string, invitations?: Invitation[],
 *   seat?: number | null, token?: string}} MadeTable
 * @typedef {{action: number, text: string, words: string[], value: number,
 *   value_words: string, cells?: number[]}} ChoiceFound
 * @typedef {{ply: number, choices: ChoiceFound[], work: number, is_final: boolean}} AnalysisFound
 */

export {};
