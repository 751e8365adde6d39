/* The same work in C: every multiset of card types weighed by a shoe, as plainly as a loop can do it. */

static int rank_of(int card) { return card / 4 + 2; }
static int suit_of(int card) { return card % 4; }

/* Straight flush, three of a kind, straight, flush, nothing. */
static int three_card_class(int a, int b, int c) {
    int x = rank_of(a), y = rank_of(b), z = rank_of(c);
    int suited = suit_of(a) == suit_of(b) && suit_of(b) == suit_of(c);
    int straight = (y == x + 1 && z == y + 1) || (x == 2 && y == 3 && z == 14);
    return straight && suited ? 0 : x == y && y == z ? 1 : straight ? 2 : suited ? 3 : 4;
}

static long long ways_of_three(const int *left, int a, int b, int c) {
    long long n = left[a];
    if (a == c) return n * (n - 1) * (n - 2) / 6;
    if (a == b) return n * (n - 1) / 2 * left[c];
    if (b == c) return n * left[b] * (left[b] - 1) / 2;
    return n * left[b] * left[c];
}

/* All 24,804 multisets of three card types, for each of some shoes. */
void three_cards(const int *shoes, int many, long long *out) {
    for (int shoe = 0; shoe < many; shoe++) {
        const int *left = shoes + 52 * shoe;
        long long *ways = out + 5 * shoe;
        for (int award = 0; award < 5; award++) ways[award] = 0;
        for (int a = 0; a < 52; a++)
            for (int b = a; b < 52; b++)
                for (int c = b; c < 52; c++) ways[three_card_class(a, b, c)] += ways_of_three(left, a, b, c);
    }
}

/* The same for hands that are listed already: only those that win. */
void winning(const int *shoes, int many, const int *hands, const int *awards, int rows, long long *out) {
    for (int shoe = 0; shoe < many; shoe++) {
        const int *left = shoes + 52 * shoe;
        long long *ways = out + 4 * shoe;
        for (int award = 0; award < 4; award++) ways[award] = 0;
        for (int row = 0; row < rows; row++) {
            const int *hand = hands + 3 * row;
            ways[awards[row]] += ways_of_three(left, hand[0], hand[1], hand[2]);
        }
    }
}

/* How many ranks are there once, twice, ... of five cards in ascending order, and so the hand. */
static int five_card_class(const int *card) {
    int suited = 1, pairs = 0, threes = 0, most = 1, run = 1, straight = 1;
    for (int i = 1; i < 5; i++) {
        suited &= suit_of(card[i]) == suit_of(card[0]);
        if (rank_of(card[i]) == rank_of(card[i - 1])) {
            run++;
            if (run > most) most = run;
        } else {
            pairs += run == 2;
            threes += run == 3;
            run = 1;
        }
        int next = rank_of(card[i - 1]) + 1;
        straight &= rank_of(card[i]) == next || (i == 4 && rank_of(card[0]) == 2 && next == 6 && rank_of(card[4]) == 14);
    }
    pairs += run == 2;
    threes += run == 3;
    if (straight && suited) return 0;
    if (most == 4) return 1;
    if (suited) return 2;
    if (straight) return 3;
    if (threes && !pairs) return 4;
    if (pairs == 2) return 5;
    if (pairs == 1 && !threes) return 6;
    return 7;
}

/* All 3,819,816 multisets of five card types. */
void five_cards(const int *left, long long *ways) {
    int card[5];
    for (int award = 0; award < 8; award++) ways[award] = 0;
    for (card[0] = 0; card[0] < 52; card[0]++)
        for (card[1] = card[0]; card[1] < 52; card[1]++)
            for (card[2] = card[1]; card[2] < 52; card[2]++)
                for (card[3] = card[2]; card[3] < 52; card[3]++)
                    for (card[4] = card[3]; card[4] < 52; card[4]++) {
                        long long product = 1;
                        int same = 0;
                        for (int i = 0; i < 5; i++) {
                            same = i && card[i] == card[i - 1] ? same + 1 : 0;
                            product = product * (left[card[i]] - same) / (same + 1);
                        }
                        ways[five_card_class(card)] += product;
                    }
}
