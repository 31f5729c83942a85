// Adds the token to every request of a client that cannot be given headers.
const send = globalThis.fetch;
globalThis.fetch = (input, init = {}) => {
  const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
  headers.set("Authorization", "Bearer " + process.env.TOKEN_OF_TEST);
  return send(input, { ...init, headers });
};
