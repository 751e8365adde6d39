/** The formats of par sheets with their labels; the server writes this module from its list of formats. */
export const FORMATS: Record<string, string>;
