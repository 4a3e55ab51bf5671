/** Why a call cannot be sent. The message names the place and the remedy, and holds no sensitive value. */
export class InvalidRequest extends Error {}
