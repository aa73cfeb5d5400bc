// Two hands of thirteen cards, hidden from each other; 26 moves, one card each in turn.
// PORT and STORE (memory or file) come from the environment.
const { Server, FlatFile } = require("boardgame.io/server");
const { PlayerView } = require("boardgame.io/core");

const hands = {
  name: "hands",
  setup: ({ random }) => {
    const deck = random.Shuffle([...Array(52).keys()].map((n) => `${"GKUDX"[n % 5]}${n}`));
    return {
      players: { 0: { hand: deck.slice(0, 13) }, 1: { hand: deck.slice(13, 26) } },
      played: [],
    };
  },
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: {
      client: false,
      move: ({ G, playerID }, card) => {
        const hand = G.players[playerID].hand;
        const index = hand.indexOf(card);
        if (index < 0) return "INVALID_MOVE";
        hand.splice(index, 1);
        G.played.push(card);
      },
    },
  },
  endIf: ({ G }) => (G.played.length === 26 ? { draw: true } : undefined),
};

// Matches are made by the first client that asks for them; nobody has to prove who they are.
const options = { games: [hands], origins: ["*"], authenticateCredentials: () => true };
if (process.env.STORE === "file") options.db = new FlatFile({ dir: process.env.FOLDER });
Server(options).run({ port: Number(process.env.PORT), callback: () => console.log("ready") });
