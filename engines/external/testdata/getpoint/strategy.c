/* A getPoint library for tests: it looks over what it is given, complains and
 * aborts if that is not so, prints noise, and plays the first column that is not
 * full, or misbehaves as STRATEGY_FAULT says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	int x, y;
} point;

static void must(int ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "strategy: %s\n", what);
		abort();
	}
}

static void look(int m, int n, const int *top, const int *board, int lx, int ly, int nx, int ny)
{
	int x, y, mine = 0, theirs = 0;
	for (y = 0; y < n; y++) {
		int high = m;
		for (x = m - 1; x >= 0; x--) {
			int man = board[x * n + y];
			must(man >= 0 && man <= 2, "a man of neither side");
			must(!(man && x == nx && y == ny), "a man on the forbidden cell");
			mine += man == 2;
			theirs += man == 1;
			if (man)
				high = x;
		}
		if (y == ny && high - 1 == nx)
			high--;
		must(top[y] == high, "top is not the row of the highest man");
	}
	must(theirs == mine || theirs == mine + 1, "the sides do not alternate");
	if (lx >= 0)
		must(board[lx * n + ly] == 1, "the last man is not the other side's");
}

point *getPoint(const int m, const int n, const int *top, const int *board, const int lx, const int ly, const int nx, const int ny)
{
	const char *fault = getenv("STRATEGY_FAULT");
	point *p = malloc(sizeof *p);
	int y = 0;
	printf("bestmove 9\nnoise on stdout\n");
	fflush(stdout);
	look(m, n, top, board, lx, ly, nx, ny);
	if (fault && !strcmp(fault, "null"))
		return 0;
	if (fault && !strcmp(fault, "crash"))
		must(0, "crash wanted");
	while (y < n && top[y] == 0)
		y++;
	p->y = y;
	p->x = top[y] - 1;
	if (fault && !strcmp(fault, "air"))
		p->x--;
	return p;
}

void clearPoint(point *p) { free(p); }
