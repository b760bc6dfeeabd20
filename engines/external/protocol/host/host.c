/*
 * host speaks UGI for a connect four strategy that is a shared library of the
 * course: one that exports
 *
 *     Point *getPoint(int M, int N, const int *top, const int *board,
 *                     int lastX, int lastY, int noX, int noY);
 *     void clearPoint(Point *);
 *
 * (extern "C"; Point has the public ints x, y). Row 0 is the top; 2 are the
 * library's own men, 1 the other's; top[y] is the row of the highest man of
 * column y, M if there is none, and passes over the forbidden cell.
 *
 * usage: host LIBRARY
 *
 * Positions are texts such as "..../.x../1.../2.1. 2": the rows from the top, x the
 * forbidden cell, then the side to move. Moves are columns from 1. A library keeps
 * its state in globals, so a process is for one library and best for one game.
 *
 * Build with: cc -O2 -o host host.c -ldl
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#include <unistd.h>
#endif

enum { most = 12, least = 4 };

typedef struct {
	int x, y;
} point;

typedef point *(*get_point)(int, int, const int *, const int *, int, int, int, int);
typedef void (*clear_point)(point *);

static struct {
	int rows, cols;      /* M, N */
	int cell[most][most]; /* 0 free, 1 and 2 the sides */
	int no_x, no_y;      /* the forbidden cell, -1 for none */
	int turn;            /* 1 or 2 */
	int last_x, last_y;  /* the last man dropped, -1 for none */
} game;

static get_point get;
static clear_point clear_it;

/* The library may print what it likes: what is stdout to it goes to stderr. */
static FILE *out;

static void load(const char *path)
{
#ifdef _WIN32
	HMODULE lib = LoadLibraryA(path);
	if (!lib) {
		fprintf(stderr, "host: %s cannot be loaded: error %lu\n", path, GetLastError());
		exit(2);
	}
	get = (get_point)(void *)GetProcAddress(lib, "getPoint");
	clear_it = (clear_point)(void *)GetProcAddress(lib, "clearPoint");
#else
	void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	/* A library in C++ that was linked by a C compiler does not name its runtime. */
	if (!lib && (dlopen("libstdc++.so.6", RTLD_NOW | RTLD_GLOBAL) || dlopen("libc++.1.dylib", RTLD_NOW | RTLD_GLOBAL)))
		lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!lib) {
		fprintf(stderr, "host: %s cannot be loaded: %s\n", path, dlerror());
		exit(2);
	}
	*(void **)&get = dlsym(lib, "getPoint");
	*(void **)&clear_it = dlsym(lib, "clearPoint");
#endif
	if (!get) {
		fprintf(stderr, "host: %s exports no getPoint\n", path);
		exit(2);
	}
}

static void empty(int rows, int cols)
{
	memset(&game, 0, sizeof game);
	game.rows = rows;
	game.cols = cols;
	game.no_x = game.no_y = game.last_x = game.last_y = -1;
	game.turn = 1;
}

/* Reads the rows and the side to move; 0 if they are no position. */
static int set_board(const char *rows, const char *turn)
{
	int x = 0, y = 0, width = -1;
	empty(0, 0);
	for (; *rows; rows++) {
		if (*rows == '/') {
			if (width >= 0 && y != width)
				return 0;
			width = y;
			y = 0;
			if (++x >= most)
				return 0;
			continue;
		}
		if (y >= most)
			return 0;
		switch (*rows) {
		case '.':
			break;
		case '1':
		case '2':
			game.cell[x][y] = *rows - '0';
			break;
		case 'x':
			game.no_x = x;
			game.no_y = y;
			break;
		default:
			return 0;
		}
		y++;
	}
	game.rows = x + 1;
	game.cols = y;
	if (width >= 0 && y != width)
		return 0;
	if (game.rows < least || game.cols < least || (strcmp(turn, "1") && strcmp(turn, "2")))
		return 0;
	game.turn = turn[0] - '0';
	return 1;
}

/* Returns the row a man dropped in a column comes to rest in, -1 if it is full. */
static int rest_row(int y)
{
	int x;
	for (x = game.rows - 1; x >= 0; x--)
		if (!game.cell[x][y] && !(x == game.no_x && y == game.no_y))
			return x;
	return -1;
}

static int drop(const char *text)
{
	char *end;
	long column = strtol(text, &end, 10);
	int x;
	if (*end || column < 1 || column > game.cols || (x = rest_row((int)column - 1)) < 0)
		return 0;
	game.last_x = x;
	game.last_y = (int)column - 1;
	game.cell[x][column - 1] = game.turn;
	game.turn = 3 - game.turn;
	return 1;
}

/* Reads the words after "position". */
static void set_position(void)
{
	char *word = strtok(NULL, " ");
	int ok = 0; /* startpos would not tell the size of the board */
	if (word && !strcmp(word, "fen")) {
		char *rows = strtok(NULL, " "), *turn = strtok(NULL, " ");
		ok = rows && turn && set_board(rows, turn);
	}
	word = strtok(NULL, " ");
	if (ok && word)
		ok = !strcmp(word, "moves");
	while (ok && word && (word = strtok(NULL, " ")))
		ok = drop(word);
	if (!ok) {
		empty(0, 0);
		fprintf(out, "info string error: not a position this host can play: want fen ROWS SIDE [moves ...]\n");
	}
}

static void think(void)
{
	int board[most * most], top[most], x, y;
	point *p;
	if (!game.rows) {
		fprintf(out, "info string error: go without a position\nbestmove 0000\n");
		return;
	}
	for (y = 0; y < game.cols; y++) {
		top[y] = game.rows;
		for (x = game.rows - 1; x >= 0; x--) {
			int man = game.cell[x][y];
			board[x * game.cols + y] = man ? (man == game.turn ? 2 : 1) : 0;
			if (man)
				top[y] = x;
		}
		/* a forbidden cell right above the highest man is passed over */
		if (y == game.no_y && top[y] - 1 == game.no_x)
			top[y]--;
	}
	p = get(game.rows, game.cols, top, board, game.last_x, game.last_y, game.no_x, game.no_y);
	if (!p) {
		fprintf(out, "bestmove 0000\n");
		return;
	}
	x = p->x;
	y = p->y;
	if (clear_it)
		clear_it(p);
	if (y < 0 || y >= game.cols || x != rest_row(y)) {
		fprintf(out, "info string the library answers row %d, column %d, where no man can come to rest\nbestmove 0000\n", x, y);
		return;
	}
	fprintf(out, "bestmove %d\n", y + 1);
}

int main(int argc, char **argv)
{
	static char line[1 << 16];
	if (argc != 2) {
		fprintf(stderr, "usage: host LIBRARY\n");
		return 2;
	}
#ifdef _WIN32
	out = stdout;
#else
	out = fdopen(dup(1), "w");
	if (!out || dup2(2, 1) < 0) {
		fprintf(stderr, "host: stdout cannot be moved\n");
		return 2;
	}
#endif
	empty(0, 0);
	load(argv[1]);
	while (fgets(line, sizeof line, stdin)) {
		char *word;
		line[strcspn(line, "\r\n")] = 0;
		word = strtok(line, " ");
		if (!word)
			continue;
		if (!strcmp(word, "ugi"))
			fprintf(out, "id name getPoint %s\nid author unknown\noption name rules type string default any\ninfo string extension go\nugiok\n", argv[1]);
		else if (!strcmp(word, "isready"))
			fprintf(out, "readyok\n");
		else if (!strcmp(word, "position"))
			set_position();
		else if (!strcmp(word, "go"))
			think();
		else if (!strcmp(word, "quit"))
			return 0;
		fflush(out);
	}
	return 0;
}
