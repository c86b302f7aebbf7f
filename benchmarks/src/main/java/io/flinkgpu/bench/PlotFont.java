package io.flinkgpu.bench;

import java.awt.Font;
import java.awt.FontFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A font that comes with the class path: machines for computing have neither fonts nor fontconfig. */
final class PlotFont {

    private static final String FILE =
            "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";
    private static final String CONFIGURATION = "sun.awt.fontconfig";

    private PlotFont() {}

    /** Without a display, and whatever fonts the machine has. Before the first use of AWT. */
    static Font load() throws IOException {
        System.setProperty("java.awt.headless", "true");
        if (System.getProperty(CONFIGURATION) == null) {
            // AWT does not start without a configuration; it need not name a font.
            Path file = Files.createTempFile("fontconfig", ".properties");
            file.toFile().deleteOnExit();
            Files.writeString(file, "version=1\nsequence.allfonts=default\n");
            System.setProperty(CONFIGURATION, file.toString());
        }
        try (InputStream font = PlotFont.class.getResourceAsStream(FILE)) {
            if (font == null) {
                throw new IOException("the font is not on the class path: file=" + FILE);
            }
            return Font.createFont(Font.TRUETYPE_FONT, font);
        } catch (FontFormatException e) {
            throw new IOException("the font cannot be read: file=" + FILE, e);
        }
    }
}
