/* embed.c -- data files as one C table, so that a moved program needs no data path (build tool) */
#include <stdio.h>

static int embed(const char *path, int number)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return 1;
    }
    printf("static const unsigned char data_%d[] = {", number);
    int byte, column = 0;
    while ((byte = getc(file)) != EOF)
        printf("%s%d,", column++ % 24 == 0 ? "\n" : "", byte);
    printf("0};\n");
    return fclose(file) != 0;
}

int main(int argc, char **argv)
{
    printf("#include \"core/embedded.h\"\n");
    for (int i = 1; i < argc; i++)
        if (embed(argv[i], i) != 0)
            return 1;
    printf("const ns_embedded ns_embedded_files[] = {\n");
    for (int i = 1; i < argc; i++)
        printf("    {\"%s\", data_%d, sizeof data_%d - 1},\n", argv[i], i, i);
    printf("    {0, 0, 0}};\n");
    return fflush(stdout) != 0;
}
